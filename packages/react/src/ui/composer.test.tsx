// @vitest-environment jsdom
import { afterEach, describe, expect, test } from 'vitest';
import { Composer } from './composer.js';
import { button, click, draw, fire, the, type, undraw } from './draw-for-test.js';
import { Providers } from './session-for-test.js';

afterEach(undraw);

function page(state: { canSend?: boolean; canStop?: boolean; status?: string | null } = {}) {
  const sent: string[] = [];
  let stops = 0;
  const { box } = draw(
    <Providers>
      <Composer
        status={state.status ?? null}
        canSend={state.canSend ?? true}
        canStop={state.canStop ?? false}
        placeholder={undefined}
        onSend={(text) => sent.push(text)}
        onStop={async () => {
          stops += 1;
        }}
      />
    </Providers>,
  );
  const field = the<HTMLTextAreaElement>(box, 'textarea');
  return { box, sent, field, stops: () => stops };
}

const enter = (init: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });

describe('the composer', () => {
  test('Enter sends the trimmed text and empties the field', async () => {
    const { field, sent } = page();
    type(field, '  a poster ');
    await fire(field, enter());
    expect(sent).toEqual(['a poster']);
    expect(field.value).toBe('');
  });

  test('Shift+Enter starts a new line instead', async () => {
    const { field, sent } = page();
    type(field, 'a');
    const event = enter({ shiftKey: true });
    await fire(field, event);
    expect(sent).toEqual([]);
    expect(event.defaultPrevented).toBe(false);
  });

  test('an Enter that chooses a word of an input method never sends', async () => {
    const { field, sent } = page();
    await fire(field, new CompositionEvent('compositionstart', { bubbles: true }));
    type(field, 'haibao');
    // Chrome and Firefox mark the key, some input methods do not: the running composition is enough.
    await fire(field, enter({ isComposing: true }));
    await fire(field, enter());
    await fire(field, new CompositionEvent('compositionend', { bubbles: true }));
    type(field, '海报');
    expect(sent).toEqual([]);
    await fire(field, enter());
    expect(sent).toEqual(['海报']);
  });

  test('the Enter that Safari reports after the composition does not send either', async () => {
    const { field, sent } = page();
    await fire(field, new CompositionEvent('compositionstart', { bubbles: true }));
    type(field, '海报');
    await fire(field, new CompositionEvent('compositionend', { bubbles: true }));
    await fire(field, enter({ keyCode: 229 }));
    expect(sent).toEqual([]);
  });

  test('nothing is sent while the assistant works, and the text stays', async () => {
    const { box, field, sent } = page({ canSend: false, canStop: true, status: 'Working on it.' });
    type(field, 'next');
    await fire(field, enter());
    expect(sent).toEqual([]);
    expect(field.value).toBe('next');
    expect(button(box, 'Send').disabled).toBe(true);
    expect(the(box, '[role="status"]').textContent).toBe('Working on it.');
  });

  test('a run that works or waits can be stopped', async () => {
    const { box, stops } = page({ canStop: true });
    await click(button(box, 'Stop'));
    expect(stops()).toBe(1);
  });

  test('blanks alone are not a message', async () => {
    const { field, sent } = page();
    type(field, ' \n ');
    await fire(field, enter());
    expect(sent).toEqual([]);
  });
});
