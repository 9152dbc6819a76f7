// Text in programs of Python.

const WIDTH = 118;

/** The lines of a docstring; none for an empty text. */
export function docstring(text, indent) {
  if (text === '') return [];
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll(/\s+/g, ' ').trim();
  const [first = '', ...rest] = wrapped(
    escaped.endsWith('"') ? `${escaped} ` : escaped,
    WIDTH - indent.length,
  );
  if (rest.length === 0 && indent.length + first.length + 6 <= WIDTH) return [`${indent}"""${first}"""`];
  return [`${indent}"""${first}`, ...rest.map((line) => indent + line), `${indent}"""`];
}

function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
