import { describe, expect, it } from 'vitest';
import { recogniseOverflow } from './context-overflow.js';
import { isUnfetchedImage } from './unfetched-images.js';

/** As they were reported. */
const UNFETCHED: [number | undefined, string][] = [
  [400, 'Error while downloading https://example.org/1599px-2023_06_08_Raccoon1.jpg.\ninvalid_value'],
  [400, 'Timeout while downloading https://example.org/a.png.\ninvalid_image_url'],
  [400, 'Timeout while downloading url: http://192.168.10.104:8888/a.jpg'],
  [400, 'Failed to download image from IMG_9660.gif.'],
  [400, 'Unable to download the file. Please verify the URL and try again.'],
  [400, "This URL is disallowed by the website's robots.txt file."],
  [400, 'Only HTTPS URLs are supported.'],
  [400, 'messages.0.content.0.image.source.base64.data: URL sources are not supported'],
  [400, 'Cannot fetch content from the provided URL.'],
  [400, 'InternalError.Algo.InvalidParameter: Failed to download multimodal content'],
  [undefined, 'Error while downloading https://example.org/a.png.'],
];

const OTHERS: [number, string][] = [
  [429, 'Rate limit reached for images: Error while downloading https://example.org/a.png.'],
  [400, "Invalid value: 'imge_url'. Supported values are: 'image_url'."],
  [400, 'Could not process image'],
  [400, 'Invalid image format'],
  [400, 'prompt is too long: 213462 tokens > 200000 maximum'],
  [500, 'The server had an error while processing your request'],
];

describe('what an endpoint says of a picture that it was to fetch', () => {
  it.each(UNFETCHED)('%s %s: it could not', (status, text) => {
    expect(isUnfetchedImage(status, text)).toBe(true);
    expect(recogniseOverflow(status, text)).toBeNull();
  });

  it.each(OTHERS)('%s %s is about something else', (status, text) => {
    expect(isUnfetchedImage(status, text)).toBe(false);
  });
});
