import { badRequest } from '../api/api-error.js';
import type { ChatMessage } from '../api/chat-request.js';
import { readDataUrl } from '../images/data-url.js';
import { imagePartsOf } from '../images/image-parts.js';

const SUPPORTED = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp']);
const SNIFFED_CHARACTERS = 32;

/**
 * Refuses a data URL that is no png, jpeg, gif or webp. The bytes are looked at as well: the API decodes them, so a
 * TIFF that calls itself a PNG does not get through.
 */
export function validateImageFormats(messages: readonly ChatMessage[]): void {
  for (const { part } of imagePartsOf(messages)) {
    const image = readDataUrl(part.image_url.url);
    if (!image) continue;
    const head = Buffer.from(image.base64.slice(0, SNIFFED_CHARACTERS), 'base64');
    if (SUPPORTED.has(image.declaredType) && looksSupported(head)) continue;
    throw badRequest(
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
      null,
      'invalid_image_format',
    );
  }
}

function looksSupported(head: Buffer): boolean {
  const text = head.toString('latin1');
  return (
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('\xff\xd8\xff') ||
    text.startsWith('GIF8') ||
    (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP')
  );
}
