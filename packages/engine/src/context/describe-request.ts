import type {
  JsonObject,
  JsonValue,
  SentImage,
  SentMessage,
  SentTool,
  ToolDefinition,
  TurnRequestView,
  Visibility,
} from '@plinth/protocol';
import type { Unit } from './conversation-units.js';
import { bytesInBody, bytesOf, type Draft, type DraftParts, tokensOf } from './draft-request.js';
import { type FixedInputs, toolText } from './fixed-inputs.js';
import { aboutTokens, messageTokens, textTokens } from './message-tokens.js';
import type { ShownPicture } from './place-pictures.js';
import type { RenderedMessage } from './render-messages.js';
import { bytesOfDraft } from './weigh-draft.js';

/** Bytes of texts up to which tokens are counted for people who look: a third of a second of the densest text. */
const LARGEST_COUNTED = 200_000;

export type DescribedRequest = Pick<
  TurnRequestView,
  'bytes' | 'tokens' | 'tokensExact' | 'settings' | 'tools' | 'messages'
>;

export interface RequestToDescribe {
  parts: DraftParts;
  draft: Draft;
  offered: readonly ToolDefinition[];
  /** Of each message on the way from the root to here, in the form of the history. */
  visibility: readonly Visibility[];
  /** What a counted token is for the provider. */
  calibration: number;
}

type Count = (exact: () => number, bytes: number) => number;

/** A request as people read it: pictures by what they are, and what each part of it weighs. */
export function describeRequest(request: RequestToDescribe): DescribedRequest {
  const { draft, parts, offered, calibration } = request;
  const tokensExact = draft.textBytes <= LARGEST_COUNTED;
  const count: Count = (exact, bytes) =>
    tokensExact ? Math.ceil(exact() * calibration) : aboutTokens(bytes);
  const tools = offered.map((tool) => describedTool(tool, count));
  const messages = describedMessages(request, count);
  const tokens = [...tools, ...messages].reduce((sum, one) => sum + one.tokens, 0);
  return {
    bytes: bytesOfDraft(draft),
    tokens,
    tokensExact,
    settings: settingsOf(parts.fixed),
    tools,
    messages,
  };
}

function describedTool(tool: ToolDefinition, count: Count): SentTool {
  const text = toolText(tool);
  const bytes = Buffer.byteLength(text);
  const { key: name, description, parameters } = tool;
  return { name, description, parameters, bytes, tokens: count(() => textTokens(text), bytes) };
}

function describedMessages({ parts, draft, visibility }: RequestToDescribe, count: Count): SentMessage[] {
  const { fixed, units, profile } = parts;
  // What has left is not among the messages, and is among the visibilities.
  let place = units.slice(0, draft.cut.from).reduce((sum, unit) => sum + messagesOf(unit), 0);
  const fixedMessage = (what: 'instructions' | 'announcement', text: string): SentMessage => {
    const bytes = Buffer.byteLength(text);
    const tokens = count(() => messageTokens(text), bytes);
    return { what, shadow: true, reduced: null, bytes, tokens, message: JSON.parse(text) as JsonObject };
  };
  const conversation = draft.messages.map((message): SentMessage => {
    const { pictures, reduced, unit } = message;
    const what = whatIs(message);
    const shadow = unit === null || what === 'images' || visibility[place] !== 'chat';
    if (unit !== null) place += 1;
    const own = bytesOf(message);
    const ofPictures = pictures.reduce(
      (sum, { size }) => sum + profile.imageTokens(size.width, size.height),
      0,
    );
    return {
      what,
      shadow,
      reduced,
      bytes: pictures.reduce((sum, picture) => sum + bytesInBody(picture), own),
      tokens: count(() => tokensOf(message), own) + ofPictures,
      message: described(message),
    };
  });
  const { system, announcement } = fixed;
  return [
    fixedMessage('instructions', system),
    ...conversation,
    ...(announcement === null ? [] : [fixedMessage('announcement', announcement)]),
  ];
}

/** How many messages of the history a unit is. */
const messagesOf = ({ results, images }: Unit): number => 1 + results.length + (images.length > 0 ? 1 : 0);

function whatIs({ unit, account }: RenderedMessage): SentMessage['what'] {
  if (unit === null) return 'summary';
  if (account === 'results') return 'result';
  return account === 'images' ? 'images' : 'said';
}

function described({ pieces, pictures }: RenderedMessage): JsonObject {
  const message = JSON.parse(pieces.join('')) as JsonObject;
  if (pictures.length === 0 || !Array.isArray(message.content)) return message;
  let next = 0;
  const content = message.content.map((part): JsonValue => {
    if (!isPicture(part)) return part;
    const picture = pictures[next];
    next += 1;
    return picture === undefined ? part : { type: 'image', image: { ...describedImage(picture) } };
  });
  return { ...message, content };
}

const isPicture = (part: JsonValue): boolean =>
  typeof part === 'object' && part !== null && !Array.isArray(part) && part.type === 'image_url';

function describedImage({ image, step, size, picture }: ShownPicture): SentImage {
  return {
    artifactId: image.artifactId,
    title: image.title,
    sha256: image.sha256,
    step,
    mimeType: picture?.variant.mimeType ?? null,
    width: size.width,
    height: size.height,
    bytes: size.sizeBytes,
    delivery: picture?.url == null ? 'inline' : 'url',
  };
}

/** What stands in the body beside messages and tools. */
function settingsOf({ head, tools, tail }: FixedInputs): JsonObject {
  const {
    messages: _messages,
    tools: _tools,
    ...settings
  } = JSON.parse(`${head}],${tools}${tail}`) as JsonObject;
  return settings;
}
