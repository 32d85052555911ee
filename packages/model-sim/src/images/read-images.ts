import type { ChatMessage } from '../api/chat-request.js';
import { readDataUrl } from './data-url.js';
import { type FetchedImage, fetchImage } from './fetch-image.js';
import { imagePartsOf, type PlacedImagePart } from './image-parts.js';
import { type ImageFacts, inspectImage } from './inspect-image.js';

export type ImageContent = {
  declaredType: string;
  sizeBytes: number;
  /** Characters of base64 in the body; 0 for one that was fetched. */
  inBodyBytes: number;
  /** Undefined: it cannot be decoded. */
  facts: ImageFacts | undefined;
};

export type PromptImage = PlacedImagePart & {
  /** Undefined: an address that nobody was told to fetch. */
  content: ImageContent | { failed: 'timeout' | 'error' } | undefined;
};

/**
 * Decodes every image of a request; web addresses are fetched only when told so.
 *
 * @param onFetched told of each image that an address gave
 */
export async function readImages(
  messages: readonly ChatMessage[],
  fetchAddresses: boolean,
  onFetched: (url: string, image: { bytes: Buffer; declaredType: string }) => void = () => {},
): Promise<PromptImage[]> {
  const fetched = new Map<string, FetchedImage>();
  const read = async (url: string): Promise<PromptImage['content']> => {
    const data = readDataUrl(url);
    if (data) {
      const bytes = Buffer.from(data.base64, 'base64');
      return contentOf(bytes, data.declaredType, data.base64.length);
    }
    if (!fetchAddresses) return undefined;
    const known = fetched.get(url);
    const answer = known ?? (await fetchImage(url));
    fetched.set(url, answer);
    if (known === undefined && !('failed' in answer)) onFetched(url, answer);
    return 'failed' in answer ? answer : contentOf(answer.bytes, answer.declaredType, 0);
  };
  const images: PromptImage[] = [];
  for (const placed of imagePartsOf(messages))
    images.push({ ...placed, content: await read(placed.part.image_url.url) });
  return images;
}

function contentOf(bytes: Buffer, declaredType: string, inBodyBytes: number): ImageContent {
  return { declaredType, sizeBytes: bytes.length, inBodyBytes, facts: inspectImage(bytes) };
}
