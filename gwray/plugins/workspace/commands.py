"""The command `gwray workspace`."""

from gwray.cli.options import Run, console, tracked_run


def workspace(run: Run) -> None:
    """Make a W&B workspace that compares the cells of a run. Needs a key.

    Rebuilds the W&B runs first, as `gwray sync`.

    Example: gwray workspace runs/demo
    """
    from gwray.plugins.workspace.saving import sync_workspace

    made, places = sync_workspace(*tracked_run(run))
    for place in (f"workspace: {made}", *places):
        console.print(place, markup=False, soft_wrap=True)
