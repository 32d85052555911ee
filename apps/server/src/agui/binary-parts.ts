import type { PipeTransform } from '@nestjs/common';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of AG-UI 0.x for all files, as 1.0 has it. One that names nothing is left to the schema, which refuses it. */
function upgraded(part: unknown): unknown {
  if (!isObject(part) || part.type !== 'binary') return part;
  const { mimeType, data, url, id, filename } = part;
  const [family = ''] = typeof mimeType === 'string' ? mimeType.split('/') : [];
  const type = ['image', 'audio', 'video'].includes(family) ? family : 'document';
  const source =
    data !== undefined
      ? { type: 'data', value: data, mimeType }
      : url !== undefined
        ? { type: 'url', value: url, mimeType }
        : { type: 'file', value: id, mimeType };
  return { type, source, ...(filename === undefined ? {} : { metadata: { filename } }) };
}

/** Before the schema of 1.0 looks at a request: the `binary` parts of older clients in its words. */
export const binaryParts: PipeTransform<unknown, unknown> = {
  transform(body) {
    if (!isObject(body) || !Array.isArray(body.messages)) return body;
    const messages = body.messages.map((message: unknown) =>
      isObject(message) && message.role === 'user' && Array.isArray(message.content)
        ? { ...message, content: message.content.map(upgraded) }
        : message,
    );
    return { ...body, messages };
  },
};
