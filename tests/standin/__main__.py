"""`python tests/standin [PORT]`: a stand-in for manual use; it always replies with a wait."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from standin import Standin

with Standin(port=int(sys.argv[1]) if len(sys.argv) > 1 else 0) as standin:
    print(f"OpenAI: {standin.base_url('openai_chat')}   Anthropic, Gemini: {standin.url}", flush=True)
    try:
        while True:
            time.sleep(1)
            print(f"\r{len(standin.seen)} requests, {standin.answered} answered", end="", flush=True)
    except KeyboardInterrupt:
        print()
