import { pointOnCircle } from './poster-canvas.js';

export type Branch = {
  x: number;
  y: number;
  /** Direction of growth in degrees, 0 to the right, clockwise. */
  angle: number;
  length: number;
  leaves: number;
  leafLength: number;
  /** How many degrees the branch turns from root to tip. */
  bend: number;
  /** Leaf width as a share of its length: narrow is willow, wide is beech. */
  plumpness: number;
  stem: string;
  fills: string[];
};

/** A bent stem with pairs of veined leaves that grow smaller towards the tip. */
export function leafBranch(branch: Branch): string {
  const points = stemPoints(branch);
  const path = points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
  const stem = `<path d="${path}" fill="none" stroke="${branch.stem}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>`;
  const leaves = points.slice(1).flatMap((point, index) => {
    const share = (index + 1) / branch.leaves;
    const length = branch.leafLength * (1.05 - 0.55 * share) * (index === 0 ? 0.8 : 1);
    const fill = (side: number) => branch.fills[(index * 2 + side) % branch.fills.length] ?? branch.stem;
    const spread = 58 - 20 * share;
    const pair = [
      leaf(point.x, point.y, point.angle - spread, length, branch, fill(0)),
      leaf(point.x, point.y, point.angle + spread, length * 0.94, branch, fill(1)),
    ];
    return index === branch.leaves - 1
      ? [...pair, leaf(point.x, point.y, point.angle, length, branch, fill(0))]
      : pair;
  });
  return stem + leaves.join('');
}

function stemPoints({ x, y, angle, length, leaves, bend }: Branch) {
  const points = [{ x, y, angle }];
  for (let index = 1; index <= leaves; index += 1) {
    const last = points[index - 1] ?? { x, y, angle };
    const turned = angle + (bend * index) / leaves;
    points.push({ ...pointOnCircle(last.x, last.y, length / leaves, turned), angle: turned });
  }
  return points;
}

function leaf(
  x: number,
  y: number,
  angle: number,
  length: number,
  { plumpness, stem }: Branch,
  fill: string,
): string {
  const half = length * plumpness;
  const outline = `M0 0C${length * 0.22} ${-half} ${length * 0.68} ${-half} ${length} 0C${length * 0.68} ${half} ${length * 0.22} ${half} 0 0Z`;
  return (
    `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle.toFixed(1)})">` +
    `<path d="${outline}" fill="${fill}"/>` +
    `<path d="M0 0L${length * 0.86} 0" stroke="${stem}" stroke-opacity="0.45" stroke-width="2.5"/></g>`
  );
}
