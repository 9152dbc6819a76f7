import { type IncomingMessage } from 'node:http';

/** How many headers of this name a request has: of several, Node takes one, and a proxy in front perhaps another. */
export const headerCount = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
