import { CUTS } from './metrics.js';
import { averagesOf, type Outcome } from './report.js';

const SIZE = { width: 520, height: 320, left: 48, right: 16, top: 40, bottom: 40 } as const;
const COLOURS = ['#2563eb', '#ea580c', '#16a34a', '#9333ea', '#64748b'];

/** Recall over k of every configuration, as an SVG document. */
export function plotOf(title: string, outcomes: readonly Outcome[]): string {
  const lines = outcomes.map((outcome, index) => lineOf(outcome, index));
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = yOf(share);
    return `<line x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${y}" y2="${y}" stroke="#e2e8f0"/><text x="${SIZE.left - 8}" y="${y + 4}" text-anchor="end">${share * 100}</text>`;
  });
  const cuts = CUTS.map(
    (cut) =>
      `<text x="${xOf(cut)}" y="${SIZE.height - SIZE.bottom + 18}" text-anchor="middle">R@${cut}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="11">`,
    '<rect width="100%" height="100%" fill="white"/>',
    `<text x="${SIZE.left}" y="20" font-size="13">${escaped(title)}</text>`,
    ...grid,
    ...cuts,
    ...lines,
    '</svg>',
  ].join('\n');
}

function lineOf(outcome: Outcome, index: number): string {
  const colour = COLOURS[index % COLOURS.length] ?? '';
  const recall = averagesOf(outcome)[0]?.quality.recall ?? {};
  const points = CUTS.map((cut) => `${xOf(cut)},${yOf(recall[cut] ?? 0)}`).join(' ');
  const y = SIZE.height - SIZE.bottom - 12 - 16 * index;
  const legend = `<text x="${SIZE.width - SIZE.right}" y="${y}" text-anchor="end" fill="${colour}">${escaped(outcome.configuration)}</text>`;
  return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>${legend}`;
}

const xOf = (cut: number): number =>
  SIZE.left + (Math.log(cut / 5) / Math.log(10)) * (SIZE.width - SIZE.left - SIZE.right - 24) + 12;

const yOf = (share: number): number =>
  SIZE.height - SIZE.bottom - share * (SIZE.height - SIZE.top - SIZE.bottom);

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
