import { expect, test } from 'vitest';
import { contrast, inkOn, mix, readableOn, turnHue } from './colors.js';

test('mixing goes from the one colour to the other', () => {
  expect([
    mix('#000000', '#ffffff', 0),
    mix('#000000', '#ffffff', 0.5),
    mix('#000000', '#ffffff', 1),
  ]).toEqual(['#000000', '#808080', '#ffffff']);
});

test('ink is readable on every grey', () => {
  for (let grey = 0; grey < 256; grey += 15) {
    const background = mix('#000000', '#ffffff', grey / 255);
    expect(contrast(inkOn(background), background)).toBeGreaterThan(4);
  }
});

test('a colour is changed only as far as it must be to be readable', () => {
  expect(readableOn('#ffffff', '#1f4d3a')).toBe('#1f4d3a');
  expect(contrast(readableOn('#3366cc', '#3366cd'), '#3366cc')).toBeGreaterThanOrEqual(3);
});

test('turning the hue leaves a grey as it is', () => {
  expect(turnHue('#808080', 40)).toBe('#808080');
  expect(turnHue('#c8452d', 40)).not.toBe('#c8452d');
});
