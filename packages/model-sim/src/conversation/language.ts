export type Language = 'zh' | 'en';

const HAN = /\p{Script=Han}/u;

/** Chinese as soon as one Han character is there, English otherwise. */
export function languageOf(text: string): Language {
  return HAN.test(text) ? 'zh' : 'en';
}
