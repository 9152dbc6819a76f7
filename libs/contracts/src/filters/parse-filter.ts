import { type Filter } from './filter.js';
export declare function parseFilter(text: string): Filter | undefined;
