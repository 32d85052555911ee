import type { Page } from 'playwright-core';

/** A PDF of one page with these words, written by hand: offsets and lengths are as the format wants them. */
export function aPdf(words: string): Buffer {
  const content = `BT /F1 48 Tf 72 640 Td (${words}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + trailer, 'latin1');
}

const SAMPLE_RATE = 8000;

/** A WAV of a tone. */
export function aTone(seconds: number): Buffer {
  const count = seconds * SAMPLE_RATE;
  const file = Buffer.alloc(44 + count * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + count * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  for (const [at, value] of [
    [16, 16],
    [24, SAMPLE_RATE],
    [28, SAMPLE_RATE * 2],
    [40, count * 2],
  ] as const)
    file.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    file.writeUInt16LE(value, at);
  file.write('data', 36, 'latin1');
  for (let index = 0; index < count; index += 1)
    file.writeInt16LE(Math.round(9000 * Math.sin((index * 2 * Math.PI * 440) / SAMPLE_RATE)), 44 + index * 2);
  return file;
}

/** A film of about a second, recorded by the browser itself: 320 × 180, a square that moves. */
export async function aFilm(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise<void>((resolve) => {
      recorder.onstop = () => resolve();
    });
    recorder.start();
    const begun = performance.now();
    await new Promise<void>((resolve) => {
      const draw = () => {
        const seconds = (performance.now() - begun) / 1000;
        pen.fillStyle = '#fff3dd';
        pen.fillRect(0, 0, 320, 180);
        pen.fillStyle = '#b4451f';
        pen.fillRect(seconds * 240, 60, 60, 60);
        if (seconds > 1.2) resolve();
        else requestAnimationFrame(draw);
      };
      draw();
    });
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  return Buffer.from(base64, 'base64');
}
