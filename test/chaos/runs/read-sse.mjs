/**
 * Reads server-sent events from a response body. Written here once more, on purpose: what checks the platform's
 * streams must not share its code.
 */
export async function* readSse(body) {
  const decoder = new TextDecoder();
  let buffer = '';
  for await (const chunk of body) {
    buffer += decoder.decode(chunk, { stream: true });
    for (;;) {
      const end = buffer.indexOf('\n\n');
      if (end < 0) break;
      const frame = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      yield frameOf(frame);
    }
  }
}

/** `data` is null for a comment or a bare field: a sign of life, and nothing else. */
function frameOf(text) {
  const fields = { id: '', data: null };
  for (const line of text.split('\n')) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'id') fields.id = value;
    if (name === 'data') fields.data = fields.data === null ? value : `${fields.data}\n${value}`;
  }
  return { id: fields.id, data: fields.data === null ? null : JSON.parse(fields.data) };
}
