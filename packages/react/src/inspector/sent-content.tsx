import type { JsonObject, JsonValue, SentImage } from '@plinth/protocol';
import { useState } from 'react';
import { Icon } from '../ui/icons.js';
import { useAmounts } from '../ui/use-amounts.js';
import { callsIn } from './tools-of-results.js';
import { useInspectorStrings } from './use-inspector-strings.js';

/** Characters of a text that are drawn at first. */
const EXCERPT = 600;

/** Everything that a message says, shows and calls. */
export function SentContent({ message }: { message: JsonObject }) {
  const strings = useInspectorStrings();
  return (
    <>
      <Content content={message.content ?? null} />
      {callsIn(message).map(({ id, name, arguments: asked }) => (
        <div key={id} className="plinth-model-call">
          <code>{strings.calls(name)}</code>
          <LongText text={asked} isCode />
        </div>
      ))}
    </>
  );
}

function Content({ content }: { content: JsonValue }) {
  if (content === null || content === '') return null;
  if (typeof content === 'string') return <LongText text={content} />;
  const parts = Array.isArray(content) ? content : [content];
  return (
    <>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message that was sent does not change
        <Part key={index} part={part} />
      ))}
    </>
  );
}

function Part({ part }: { part: JsonValue }) {
  if (typeof part === 'object' && part !== null && !Array.isArray(part)) {
    if (part.type === 'image') return <ImagePart image={part.image as unknown as SentImage} />;
    if (part.type === 'text' && typeof part.text === 'string') return <LongText text={part.text} />;
  }
  return <LongText text={JSON.stringify(part, null, 2)} isCode />;
}

/** A picture by what is known of it: its bytes are not here. */
function ImagePart({ image }: { image: SentImage }) {
  const strings = useInspectorStrings();
  const { bytes, number } = useAmounts();
  const { title, mimeType, width, height, step, delivery, sha256 } = image;
  const facts = [
    ...(mimeType === null ? [] : [mimeType]),
    strings.pixels(number(width), number(height)),
    bytes(image.bytes),
    strings.step(step),
    strings.delivery[delivery],
    ...(mimeType === null ? [strings.unknownImage] : []),
  ];
  return (
    <div className="plinth-model-image">
      <Icon name="image" />
      <div>
        <p dir="auto">{title}</p>
        <p className="plinth-faint">{facts.join(' · ')}</p>
        <p className="plinth-faint plinth-model-hash" dir="ltr">
          sha256 {sha256}
        </p>
      </div>
    </div>
  );
}

function LongText({ text, isCode = false }: { text: string; isCode?: boolean }) {
  const strings = useInspectorStrings();
  const [isWhole, setWhole] = useState(text.length <= EXCERPT);
  return (
    <>
      <pre dir={isCode ? 'ltr' : 'auto'}>{isWhole ? text : `${text.slice(0, EXCERPT)}…`}</pre>
      {!isWhole && (
        <button
          type="button"
          className="plinth-button plinth-button--quiet plinth-button--small"
          onClick={() => setWhole(true)}
        >
          {strings.showAll}
        </button>
      )}
    </>
  );
}
