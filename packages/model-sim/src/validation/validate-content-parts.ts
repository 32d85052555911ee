import { badRequest, emptyArray, unsupportedValue, wrongType } from '../api/api-error.js';
import { isJsonObject } from '../api/chat-request.js';
import { validateImageUrl } from './validate-image-url.js';

const PART_TYPES: Record<string, string[]> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
};
const TEXT_ONLY = ['text'];

/** Refuses content parts that the role may not carry, and images that the model could not read. */
export function validateContentParts(parts: unknown[], role: string, messageIndex: number): void {
  const path = `messages[${messageIndex}].content`;
  if (parts.length === 0) throw emptyArray(path);
  parts.forEach((part, index) => {
    const partPath = `${path}[${index}]`;
    if (!isJsonObject(part)) throw wrongType(partPath, 'an object', part);
    if (part.type === 'image_url' && role !== 'user') throw imageInWrongRole(role, messageIndex);
    const allowed = PART_TYPES[role] ?? TEXT_ONLY;
    if (typeof part.type !== 'string' || !allowed.includes(part.type)) {
      throw unsupportedValue(`${partPath}.type`, part.type, allowed);
    }
    if (part.type === 'text' && typeof part.text !== 'string')
      throw wrongType(`${partPath}.text`, 'a string', part.text);
    if (part.type === 'image_url') validateImageUrl(part.image_url, `${partPath}.image_url`);
  });
}

function imageInWrongRole(role: string, messageIndex: number) {
  const message = `Invalid 'messages[${messageIndex}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`;
  return badRequest(message, `messages[${messageIndex}]`, 'invalid_value');
}
