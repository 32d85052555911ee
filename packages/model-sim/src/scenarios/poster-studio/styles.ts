import type { Language } from '../../conversation/language.js';

export const STYLE_IDS = ['minimal', 'botanical', 'retro', 'bold'] as const;
export type StyleId = (typeof STYLE_IDS)[number];

type Words = { title: string; description: string; tagline: string };
type Style = { background: string; accent: string; wish: RegExp; en: Words; zh: Words };

const STYLES: Record<StyleId, Style> = {
  minimal: {
    background: '#f5f2ec',
    accent: '#1f4d3a',
    wish: /\b(minimal\w*|simpl\w+|clean\w*|calm\w*|quiet\w*)\b|极简|简约|简单|简洁|干净/i,
    en: {
      title: 'Minimal',
      description: 'Generous white space, one shape, one accent colour.',
      tagline: 'Simply worth your time',
    },
    zh: { title: '极简', description: '大面积留白，一个图形，一种强调色。', tagline: '简单，值得一来' },
  },
  botanical: {
    background: '#eef3e6',
    accent: '#3f6b3a',
    wish: /\b(botanic\w*|natur\w+|plants?|flor\w+|flowers?|leaf|leaves|green)\b|植物|自然|花卉|花草|清新/i,
    en: {
      title: 'Botanical',
      description: 'Leaves and soft greens around a classic serif headline.',
      tagline: 'Grown with care',
    },
    zh: { title: '植物', description: '枝叶环绕，柔和绿调，经典衬线标题。', tagline: '用心生长' },
  },
  retro: {
    background: '#f6e3c0',
    accent: '#c8452d',
    wish: /\b(retro|vintage|old.?school|nostalgi\w*|seventies|70s)\b|复古|怀旧|老派/i,
    en: {
      title: 'Retro',
      description: 'Sunburst, warm stripes and a touch of the seventies.',
      tagline: 'Just like the good old days',
    },
    zh: { title: '复古', description: '放射阳光，暖色条纹，一点七十年代的味道。', tagline: '重温旧日好时光' },
  },
  bold: {
    background: '#16161d',
    accent: '#ffd23f',
    wish: /\b(bold\w*|loud\w*|strong\w*|striking|big\w*|dramatic)\b|醒目|大胆|粗犷|强烈|抢眼|张扬/i,
    en: {
      title: 'Bold',
      description: 'Huge type, hard contrast, impossible to overlook.',
      tagline: 'Do not miss it',
    },
    zh: { title: '醒目', description: '超大字体，强烈对比，让人过目不忘。', tagline: '不容错过' },
  },
};

/** The style that a text asks for by name or by a word such as "bolder"; undefined when it asks for none. */
export function wishedStyle(text: string): StyleId | undefined {
  return STYLE_IDS.find((id) => STYLES[id].wish.test(text));
}

/** The four styles for the `choose_style` component, the wished one first. */
export function styleOffers(language: Language, wished: StyleId | undefined) {
  const ids = wished ? [wished, ...STYLE_IDS.filter((id) => id !== wished)] : STYLE_IDS;
  return ids.map((id) => ({
    id,
    title: STYLES[id][language].title,
    description: STYLES[id][language].description,
  }));
}

export function styleTitle(id: StyleId, language: Language): string {
  return STYLES[id][language].title;
}

/** A line under the headline, for a form that has none. */
export function styleTagline(id: StyleId, language: Language): string {
  return STYLES[id][language].tagline;
}

/** Background and accent, as hexadecimal colours. */
export function stylePalette(id: StyleId): { background: string; accent: string } {
  const { background, accent } = STYLES[id];
  return { background, accent };
}
