/** Reads the commands that a program sends to Redis over one connection: `*<n>`, then each argument as `$<length>`. */
const NEW_LINE = Buffer.from('\r\n');

export function commandReader(onCommand) {
  let buffer = Buffer.alloc(0);
  return (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    for (;;) {
      const command = commandAt(buffer);
      if (command === null) return;
      onCommand(command.args);
      buffer = buffer.subarray(command.end);
    }
  };
}

/** Null when it is not complete yet. */
function commandAt(buffer) {
  const head = numberAt(buffer, 0);
  if (head === null) return null;
  const args = [];
  let at = head.end;
  for (let i = 0; i < head.number; i += 1) {
    const length = numberAt(buffer, at);
    if (length === null || buffer.length < length.end + length.number + 2) return null;
    args.push(buffer.subarray(length.end, length.end + length.number));
    at = length.end + length.number + 2;
  }
  return { args, end: at };
}

/** The number of a line such as `$12`, and where the next line begins. */
function numberAt(buffer, from) {
  const end = buffer.indexOf(NEW_LINE, from);
  return end < 0 ? null : { number: Number(buffer.toString('latin1', from + 1, end)), end: end + 2 };
}

/** Bytes of what a command brings: neither its name, nor a script's digest, nor keys. As with the text of a query. */
export function parameterBytes(args) {
  const isScript = /^evalsha|^eval$|^fcall/i.test(args[0].toString('latin1'));
  const keys = isScript ? 2 + Number(args[2]) : 1;
  return args.slice(1 + keys).reduce((sum, arg) => sum + arg.length, 0);
}
