import { badRequest, wrongType } from '../api/api-error.js';
import { isJsonObject } from '../api/chat-request.js';
import { readDataUrl } from '../images/data-url.js';

const WEB_URL = /^https?:\/\/\S+$/i;

/** Refuses an image that is neither a web address nor a base64 data URL. What is in it is not looked at. */
export function validateImageUrl(image: unknown, path: string): void {
  if (!isJsonObject(image)) throw wrongType(path, 'an object', image);
  const { url } = image;
  if (typeof url !== 'string') throw wrongType(`${path}.url`, 'a string', url);
  if (WEB_URL.test(url) || readDataUrl(url)) return;
  throw badRequest(
    `Invalid '${path}.url'. Expected a valid URL, but got a value with an invalid format.`,
    `${path}.url`,
    'invalid_value',
  );
}
