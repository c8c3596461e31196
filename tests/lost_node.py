"""Plays on a cluster of two nodes and takes one away in the middle; run by test_executor.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = str(ROOT)
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

from ray.cluster_utils import Cluster  # noqa: E402

from arena.loading import find  # noqa: E402
from arena.tournament import Progress  # noqa: E402
from tests.test_executor import entries_for, played  # noqa: E402


def main(folder: Path) -> None:
    entries = [*entries_for("lasvegas"), find("greedy")]
    inline = played(folder / "inline", entries, "lasvegas", 900, executor="inline")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    lost = [cluster.add_node(num_cpus=1)]
    cluster.wait_for_nodes()

    def remove(progress: Progress) -> None:
        if progress.done > 200 and lost:
            cluster.remove_node(lost.pop(), allow_graceful=False)

    how = {"executor": "ray", "address": cluster.address, "watch": remove}
    ray = played(folder / "ray", entries, "lasvegas", 900, **how)
    assert not lost, "the node was never removed"
    assert ray == inline
    cluster.shutdown()
    print("the same records")


main(Path(sys.argv[1]))
