import { badRequest, wrongType } from '../api/api-error.js';
import { isJsonObject } from '../api/chat-request.js';

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s;
const SUPPORTED = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp']);
const WEB_URL = /^https?:\/\/\S+$/i;
const SNIFFED_CHARACTERS = 32;

/**
 * Refuses an image that is neither a web address nor a base64 data URL of png, jpeg, gif or webp. The bytes
 * are looked at as well: the API decodes them, so a TIFF that calls itself a PNG does not get through.
 */
export function validateImageUrl(image: unknown, path: string): void {
  if (!isJsonObject(image)) throw wrongType(path, 'an object', image);
  const { url } = image;
  if (typeof url !== 'string') throw wrongType(`${path}.url`, 'a string', url);
  if (WEB_URL.test(url)) return;
  const match = DATA_URL.exec(url);
  if (!match) {
    throw badRequest(
      `Invalid '${path}.url'. Expected a valid URL, but got a value with an invalid format.`,
      `${path}.url`,
      'invalid_value',
    );
  }
  const [, type = '', base64 = ''] = match;
  const head = Buffer.from(base64.slice(0, SNIFFED_CHARACTERS), 'base64');
  if (!SUPPORTED.has(type.toLowerCase()) || !looksSupported(head)) {
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
