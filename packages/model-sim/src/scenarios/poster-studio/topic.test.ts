import { expect, test } from 'vitest';
import { dateIn, suggestedDate } from './suggested-date.js';
import { fallbackTopic, headlineOf, topicIn } from './topic.js';

test.each([
  ['a poster for our autumn tea sale', 'autumn tea sale'],
  ['I need a flyer about the book fair in May', 'book fair'],
  ['A poster for the opening of our new café at the harbour', 'opening of our new café'],
  ['an autumn sale poster, retro', 'autumn sale'],
  ['Write a brief for our autumn tea sale', 'autumn tea sale'],
  ['为我们的秋季茶叶促销做一张海报', '秋季茶叶促销'],
  ['为我们的秋季茶叶促销写一份简报', '秋季茶叶促销'],
  ['做一张秋茶促销的海报', '秋茶促销'],
  ['帮我设计一个夏日音乐节的宣传海报，7月20日', '夏日音乐节'],
  ['秋季茶叶特卖海报', '秋季茶叶特卖'],
])('the topic of %j is %j', (text, topic) => {
  expect(topicIn(text)).toBe(topic);
});

test.each(['make it bolder', 'make a poster', '换成复古风'])('%j names no topic', (text) => {
  expect(topicIn(text)).toBeUndefined();
});

test('without a named topic the first words serve', () => {
  expect(fallbackTopic('jazz night poster')).toBe('jazz night');
  expect(fallbackTopic('announce our bake sale next Friday')).toBe('bake sale');
  expect(fallbackTopic('我们要开一家新书店，需要一张海报')).toBe('开一家新书店');
  expect(fallbackTopic('make it')).toBe('something new');
});

test('an English headline is in title case, a Chinese one as it is', () => {
  expect(headlineOf('opening of our new café')).toBe('Opening of Our New Café');
  expect(headlineOf('秋茶')).toBe('秋茶');
});

test.each([
  ['on October 12-14, please', 'October 12-14'],
  ['the 3rd of May 2027', '3rd of May 2027'],
  ['next Friday evening', 'next Friday'],
  ['7月20日至22日举行', '7月20日至22日'],
  ['本周六见', '本周六'],
  ['2027-03-01', '2027-03-01'],
])('the date in %j is %j', (text, date) => {
  expect(dateIn(text)).toBe(date);
});

test('without a date the season decides, else a Saturday', () => {
  expect(suggestedDate('autumn tea', 'en')).toBe('9–11 October');
  expect(suggestedDate('夏日音乐节', 'zh')).toBe('7月17日–19日');
  expect(suggestedDate('jazz', 'en')).toBe('Saturday, 10:00–18:00');
});
