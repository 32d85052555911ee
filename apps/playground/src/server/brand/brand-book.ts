export type PastCampaign = { title: string; season: string; copies: number; lesson: string };

/** How everything that leaves the house reads and sounds. */
export const GUIDELINES = {
  voice: 'Warm and short. Invite, do not shout.',
  headline: { maxWords: 5, avoid: ['cheap', 'best ever', '最便宜'] },
  sound: 'plucked strings, light hand claps, 110 bpm, no voice',
};

const CAMPAIGNS: { about: string[]; campaign: PastCampaign }[] = [
  {
    about: ['tea', 'spring', '茶', '春'],
    campaign: {
      title: 'First flush',
      season: 'spring',
      copies: 120,
      lesson: 'Half of the visitors came by the poster at the tram stop.',
    },
  },
  {
    about: ['jazz', 'music', 'bar', '爵士', '音乐', '酒吧'],
    campaign: {
      title: 'Blue hour',
      season: 'autumn',
      copies: 60,
      lesson: 'The square post was shared most; few read the long text.',
    },
  },
  {
    about: ['market', 'sale', 'yard', '市场', '促销', '操场'],
    campaign: {
      title: 'Yard sale',
      season: 'summer',
      copies: 200,
      lesson: 'The date has to be readable from across the street.',
    },
  },
];

/** Past campaigns that share a word with the topic, those with most of them first; none when none does. */
export function campaignsLike(topic: string): PastCampaign[] {
  const text = topic.toLowerCase();
  const words = new Set(text.split(/[^\p{L}]+/u));
  // Chinese has no blanks between words.
  const isNamed = (word: string) => (/\p{Script=Han}/u.test(word) ? text.includes(word) : words.has(word));
  return CAMPAIGNS.map(({ about, campaign }) => ({ campaign, shared: about.filter(isNamed).length }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
    .map(({ campaign }) => campaign);
}
