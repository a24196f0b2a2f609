#!/bin/sh
# Gives both ends of the DevTools pipe (3 and 4) to gwray, gets others, and becomes the browser.
exec "$GWRAY_PYTHON" -ISc '
import os, socket, sys
program = os.environ.pop("GWRAY_PROGRAM")
features = os.environ.pop("GWRAY_DISABLED_FEATURES")
del os.environ["GWRAY_PYTHON"]
with socket.socket(socket.AF_UNIX) as gwray:
    gwray.connect(os.environ.pop("GWRAY_DEVTOOLS"))
    socket.send_fds(gwray, [b"."], [3, 4])
    _, (pipe, *_), _, _ = socket.recv_fds(gwray, 1, 1)
os.set_inheritable(pipe, False)
os.dup2(pipe, 3)
os.dup2(pipe, 4)
# A second switch would replace that of the driver.
switches = [a + "," + features if a.startswith("--disable-features=") else a for a in sys.argv[1:]]
os.execv(program, [program, *switches])
' "$@"
