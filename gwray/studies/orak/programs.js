// Runs one program in the interpreter: reads {api, code, main} from the first line of the input, evaluates the game's
// API and the program, calls the program's main function, and writes how that ended. `call` writes a request and reads
// its answer. The host is gwray/studies/orak/programs.py.
import * as std from 'qjs:std';

const { parse, stringify } = JSON;
const line = () => std.in.getline();
const write = (value) => {
  std.out.puts(`\n${stringify(value)}\n`);
  std.out.flush();
};
// Added to the program's line numbers, so that they differ from those of the API.
const OFFSET = 10000;
const evaluate = std.evalScript;
const call = (name, args = {}) => {
  write({ call: String(name), args });
  return parse(line());
};
const chat = (...words) => write({ chat: words.map(String).join(' ') });
globalThis.print = chat;
globalThis.console = { log: chat, info: chat, warn: chat, error: chat, debug: chat };

function describe(error) {
  try {
    if (!(error instanceof Error)) return `the program threw ${String(error)}`;
    const at = /<evalScript>:(\d{5,})/.exec(String(error.stack));
    return `${error.name}: ${error.message.replace(/\.$/, '')}${at ? ` (line ${at[1] - OFFSET})` : ''}`;
  } catch {
    return 'the program threw something that cannot be shown';
  }
}

const { api, code, main } = parse(line());
let problem = '';
try {
  const bot = evaluate(`(${api})`)(call, chat);
  evaluate('\n'.repeat(OFFSET) + code);
  await evaluate(main)(bot);
} catch (error) {
  problem = describe(error);
}
write({ end: problem });
