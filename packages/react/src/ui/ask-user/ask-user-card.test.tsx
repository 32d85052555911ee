// @vitest-environment jsdom
import type { AskUserField, AskUserProps, JsonObject } from '@plinth/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import type { ComponentInterrupt, ComponentToolProps } from '../../component-tool-props.js';
import { useComponentTool } from '../../use-component-tool.js';
import { ComponentSlot } from '../component-slot.js';
import { button, click, draw, fire, the, type, undraw } from '../draw-for-test.js';
import { Providers, sessionForTest } from '../session-for-test.js';

afterEach(undraw);

const option = (value: string) => ({ value, label: value.toUpperCase(), description: null });
const field = (name: string, rest: Partial<AskUserField>): AskUserField => ({
  name,
  label: `Label ${name}`,
  type: 'text',
  options: [],
  required: true,
  min: null,
  max: null,
  ...rest,
});
const asks = (...fields: AskUserField[]): ComponentInterrupt => {
  const props: AskUserProps = { question: 'Which one?', fields };
  return {
    id: 'int_1',
    callId: 'tc_1',
    tool: 'ask_user',
    title: 'Question',
    kind: 'component',
    component: 'plinth.ask_user',
    props: props as unknown as JsonObject,
    schema: {},
    state: 'open',
    openedAt: '2030-01-01T10:00:00.000Z',
    expiresAt: null,
    answeredBy: null,
    answeredAt: null,
    closedWhy: null,
  };
};

function shown(interrupt: ComponentInterrupt) {
  const session = sessionForTest();
  const { box } = draw(
    <Providers>
      <ComponentSlot thread={session} interrupt={interrupt} />
    </Providers>,
  );
  return { box, session };
}

const answersOf = ({ answers }: ReturnType<typeof sessionForTest>) => answers.map(({ answer }) => answer);
const submit = (box: HTMLElement) =>
  fire(the(box, 'form'), new Event('submit', { bubbles: true, cancelable: true }));

function Own({ props }: ComponentToolProps) {
  return <output>{`own: ${String(props.question)}`}</output>;
}

function Register() {
  useComponentTool('plinth.ask_user', Own);
  return null;
}

describe('one choice', () => {
  test('each option is a button, named by the question, and one press is the answer', async () => {
    const { box, session } = shown(
      asks(field('answer', { label: null, type: 'choice', options: [option('a'), option('b')] })),
    );
    const group = the(box, 'fieldset');
    expect(document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'Which one?',
    );
    await click(button(box, 'B'));
    expect(answersOf(session)).toEqual([{ type: 'submit', value: { answer: 'b' } }]);
  });

  test('yes and no are answered as true and false', async () => {
    const { box, session } = shown(asks(field('answer', { label: null, type: 'yes_no' })));
    await click(button(box, 'No'));
    expect(answersOf(session)).toEqual([{ type: 'submit', value: { answer: false } }]);
  });

  test('nobody has to answer', async () => {
    const { box, session } = shown(
      asks(field('answer', { label: null, type: 'choice', options: [option('a'), option('b')] })),
    );
    await click(button(box, 'Rather not say'));
    expect(answersOf(session)).toEqual([{ type: 'decline' }]);
  });
});

describe('a form', () => {
  const FORM = asks(
    field('size', { type: 'choice', options: [option('s'), option('m')] }),
    field('extras', { type: 'choices', options: [option('x'), option('y'), option('z')], required: false }),
    field('copies', { type: 'number', min: 1, max: 9 }),
    field('framed', { type: 'yes_no', required: false }),
    field('note', { type: 'long_text', required: false }),
  );

  test('what was filled in is sent by name and in its type; what was left out is not there', async () => {
    const { box, session } = shown(FORM);
    const inputs = [...box.querySelectorAll('input')];
    await click(inputs[1] as HTMLElement);
    await click(inputs[4] as HTMLElement);
    await click(inputs[2] as HTMLElement);
    type(the(box, 'input[inputmode="decimal"]'), '3');
    await submit(box);
    expect(answersOf(session)).toEqual([
      { type: 'submit', value: { size: 'm', extras: ['x', 'z'], copies: 3 } },
    ]);
  });

  test('what is missing or wrong is said at its field, which gets the focus, and nothing is sent', async () => {
    const { box, session } = shown(FORM);
    type(the(box, 'input[inputmode="decimal"]'), '10');
    await submit(box);
    expect(answersOf(session)).toEqual([]);
    expect([...box.querySelectorAll('.plinth-field-error')].map((one) => one.textContent)).toEqual([
      'Fill this in.',
      'Give at most 9.',
    ]);
    expect(document.activeElement).toBe(box.querySelector('input'));
    expect(the(box, '[role="alert"]').textContent).toContain('Please check');
  });

  test('every control has a name that a screen reader tells', () => {
    const { box } = shown(FORM);
    for (const control of box.querySelectorAll<HTMLInputElement>('input, textarea')) {
      const named = control.labels?.[0]?.textContent ?? control.getAttribute('aria-labelledby');
      expect(named, control.outerHTML).toBeTruthy();
    }
    expect([...box.querySelectorAll('legend')].map((one) => one.textContent)).toEqual([
      'Label size',
      'Label extras (optional)',
      'Label framed (optional)',
    ]);
  });
});

test('an answered question stays as a line that says what was asked', () => {
  const { box } = shown({
    ...asks(field('answer', {})),
    state: 'answered',
    answeredAt: '2030-01-01T10:01:00.000Z',
  });
  expect(box.textContent).toContain('Which one?');
  expect(box.querySelector('form')).toBeNull();
});

test('a host that has registered a component of its own shows that one', () => {
  const { box } = draw(
    <Providers>
      <Register />
      <ComponentSlot thread={sessionForTest()} interrupt={asks(field('answer', {}))} />
    </Providers>,
  );
  expect(the(box, 'output').textContent).toBe('own: Which one?');
});
