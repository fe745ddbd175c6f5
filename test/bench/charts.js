// Charts as SVG: ratios against their targets as bars, and cost by size as lines.

const COLORS = ['#3b6ea5', '#c8792e', '#4f8a5b', '#8c5a9e'];
const FONT = 'font-family="system-ui, sans-serif" font-size="12"';
const [BAR, ROW_GAP, LEFT, SCALE] = [14, 12, 220, 130];

const escape = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const label = (x, y, text, rest = '') => `<text x="${x}" y="${y}" ${rest}>${escape(text)}</text>`;

function svg(width, height, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ${FONT}>
<rect width="100%" height="100%" fill="white"/>
${parts.join('\n')}
</svg>
`;
}

function legend(names, x, y) {
  return names.flatMap((name, index) => [
    `<rect x="${x + index * 120}" y="${y}" width="12" height="12" fill="${COLORS[index]}"/>`,
    label(x + index * 120 + 18, y + 10, name),
  ]);
}

/**
 * Horizontal bars, grouped by title, one per series. The mark in a bar is its target; the long line is a ratio of 1,
 * where both servers are equally fast.
 * @param {readonly string[]} series
 * @param {readonly { title: string, bars: readonly { series: number, value: number, target: number }[] }[]} groups
 */
export function ratioChart(series, groups) {
  const longest = Math.max(
    1,
    ...groups.flatMap(({ bars }) => bars.map(({ value, target }) => Math.max(value, target))),
  );
  const parts = legend(series, LEFT, 10);
  let y = 40;
  for (const { title, bars } of groups) {
    parts.push(label(LEFT - 10, y + (bars.length * BAR) / 2 + 4, title, 'text-anchor="end"'));
    for (const { series: index, value, target } of bars) {
      const mark = LEFT + target * SCALE;
      parts.push(
        `<rect x="${LEFT}" y="${y}" width="${value * SCALE}" height="${BAR - 2}" fill="${COLORS[index]}"/>`,
        `<path d="M${mark} ${y - 1}v${BAR}" stroke="black" stroke-width="2"/>`,
        label(LEFT + Math.max(value, target) * SCALE + 6, y + 10, value.toFixed(2)),
      );
      y += BAR;
    }
    y += ROW_GAP;
  }
  parts.push(`<path d="M${LEFT + SCALE} 34V${y - ROW_GAP + 4}" stroke="#888" stroke-dasharray="4 3"/>`);
  return svg(LEFT + longest * SCALE + 60, y + 10, parts);
}

/**
 * Lines over a logarithmic axis of sizes.
 * @param {readonly { title: string, points: readonly { size: number, milliseconds: number }[] }[]} lines
 */
export function sizeChart(lines) {
  const [width, height, margin] = [620, 320, 60];
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ size }) => size)))].sort((a, b) => a - b);
  const highest = Math.max(...lines.flatMap(({ points }) => points.map(({ milliseconds }) => milliseconds)));
  const [low, high] = [Math.log10(sizes[0]), Math.log10(sizes.at(-1))];
  const x = (size) => margin + ((Math.log10(size) - low) / (high - low)) * (width - 2 * margin);
  const y = (milliseconds) => height - margin - (milliseconds / highest) * (height - 2 * margin);
  const parts = legend(
    lines.map(({ title }) => title),
    margin,
    10,
  );
  parts.push(`<path d="M${margin} ${height - margin}H${width - margin}" stroke="black"/>`);
  for (const size of sizes) {
    parts.push(label(x(size), height - margin + 18, size.toLocaleString('en'), 'text-anchor="middle"'));
  }
  for (const part of [0.5, 1]) {
    const at = y(highest * part);
    parts.push(`<path d="M${margin} ${at}H${width - margin}" stroke="#ddd"/>`);
    parts.push(label(margin - 6, at + 4, `${(highest * part).toFixed(1)} ms`, 'text-anchor="end"'));
  }
  for (const [index, { points }] of lines.entries()) {
    const path = points.map(({ size, milliseconds }) => `${x(size)},${y(milliseconds)}`).join(' ');
    parts.push(`<polyline points="${path}" fill="none" stroke="${COLORS[index]}" stroke-width="2"/>`);
  }
  return svg(width, height, parts);
}
