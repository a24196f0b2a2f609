"""The studies of other papers, one package each: the modules of its agents, its statistics, its section of the report,
its judges and its published results. They reach the product through entry points of gwray's own distribution, as
packages of others do. Nothing else imports them, and they do not import each other."""
