// @vitest-environment jsdom
import { type Plinth, PlinthClientError } from '@plinth/client';
import type { UploadView } from '@plinth/protocol';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PlinthProvider } from '../plinth-provider.js';
import { Composer } from './composer.js';
import { button, click, draw, fire, the, undraw } from './draw-for-test.js';
import { UiProvider } from './ui-context.js';

const upload = vi.fn<Plinth['upload']>();
const revoked: string[] = [];

beforeEach(() => {
  upload.mockReset();
  revoked.length = 0;
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = (url) => void revoked.push(url);
});
afterEach(undraw);

const PICTURE = new File(['x'], 'tea.png', { type: 'image/png' });
const uploaded = (title: string): UploadView => ({
  id: `upl_${title}`,
  kind: 'image',
  mimeType: 'image/png',
  title,
  sizeBytes: 1,
  sha256: '0',
  createdAt: '2026-01-01T00:00:00.000Z',
});

function page() {
  const onSend = vi.fn();
  const { box } = draw(
    <PlinthProvider plinth={{ upload } as unknown as Plinth}>
      <UiProvider language="en">
        <Composer
          status={null}
          canSend
          canStop={false}
          placeholder={undefined}
          onSend={onSend}
          onStop={async () => undefined}
        />
      </UiProvider>
    </PlinthProvider>,
  );
  const give = (type: 'paste' | 'drop', files: File[]) => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    const data = { files, types: ['Files'] };
    Object.assign(event, type === 'paste' ? { clipboardData: data } : { dataTransfer: data });
    return fire(the(box, type === 'paste' ? 'textarea' : '.plinth-composer-box'), event);
  };
  return { box, onSend, give };
}

describe('files in the composer', () => {
  test('one that is pasted is uploaded, shown, and sent without a word beside it', async () => {
    upload.mockResolvedValue(uploaded('tea.png'));
    const { box, onSend, give } = page();
    await give('paste', [PICTURE]);
    expect(the<HTMLImageElement>(box, '.plinth-tray img').src).toBe('blob:preview');
    await click(button(box, 'Send'));
    expect(onSend.mock.calls).toEqual([['', [{ upload: uploaded('tea.png') }]]]);
    expect(box.querySelector('.plinth-tray')).toBeNull();
    expect(revoked).toEqual(['blob:preview']);
  });

  test('nothing is sent while one is on its way, and the composer says why', async () => {
    let finish: (view: UploadView) => void = () => undefined;
    upload.mockReturnValue(new Promise((resolve) => (finish = resolve)));
    const { box, give } = page();
    await give('drop', [PICTURE]);
    expect(button(box, 'Send').disabled).toBe(true);
    expect(the(box, '.plinth-composer-status').textContent).toContain('when the files are uploaded');
    await act(async () => finish(uploaded('tea.png')));
    expect(button(box, 'Send').disabled).toBe(false);
  });

  test('one that could not be taken says so, is tried again, and holds the message back until it is there or gone', async () => {
    upload.mockRejectedValueOnce(new PlinthClientError({ code: 'network', message: '' }));
    upload.mockResolvedValueOnce(uploaded('tea.png'));
    const { box, give } = page();
    await give('drop', [PICTURE]);
    expect(the(box, '.plinth-tray [role="alert"]').textContent).toContain('Could not be uploaded.');
    expect(button(box, 'Send').disabled).toBe(true);
    await click(button(box, 'Try again'));
    expect(button(box, 'Send').disabled).toBe(false);
  });

  test('one that is too large is not offered again', async () => {
    upload.mockRejectedValue(
      new PlinthClientError({ code: 'attachment_too_large', message: '', status: 413 }),
    );
    const { box, give } = page();
    await give('drop', [PICTURE]);
    expect(the(box, '.plinth-tray [role="alert"]').textContent).toBe('This file is too large.');
  });

  test('one that is removed on its way is given up', async () => {
    upload.mockReturnValue(new Promise(() => undefined));
    const { box, give } = page();
    await give('drop', [PICTURE]);
    await click(button(box, 'Remove tea.png'));
    expect(upload.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
    expect(box.querySelector('.plinth-tray')).toBeNull();
  });

  test('text that is pasted is text', async () => {
    const { give } = page();
    await give('paste', []);
    expect(upload).not.toHaveBeenCalled();
  });
});

describe('what need not be uploaded to be refused', () => {
  test('an empty file says that it is empty', async () => {
    const { box, give } = page();
    await give('drop', [new File([], 'empty.txt')]);
    expect(the(box, '.plinth-tray [role="alert"]').textContent).toBe('This file is empty.');
    expect(upload).not.toHaveBeenCalled();
  });

  test('the eleventh file is not taken, and the message is held back until it is removed', async () => {
    upload.mockImplementation(async (_file, options) => uploaded(options?.title ?? ''));
    const { box, give, onSend } = page();
    await give(
      'drop',
      Array.from({ length: 11 }, (_, index) => new File(['x'], `${index + 1}.txt`)),
    );
    expect(upload).toHaveBeenCalledTimes(10);
    expect(the(box, '.plinth-tray [role="alert"]').textContent).toBe(
      'A message takes 10 files at most. Remove this one.',
    );
    expect(button(box, 'Send').disabled).toBe(true);
    await click(button(box, 'Remove 11.txt'));
    await click(button(box, 'Send'));
    expect(onSend.mock.calls[0]?.[1]).toHaveLength(10);
  });
});
