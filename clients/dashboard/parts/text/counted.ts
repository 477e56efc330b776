import { counted as countedPlainly } from '@tollfree/contract/counted';
import { locale } from './moment-text.ts';

/** A count with its noun and its thousands apart: `1 request`, `1,200 requests`. */
export function counted(count: number, one: string, several?: string): string {
  return countedPlainly(count, one, several).replace(String(count), count.toLocaleString(locale));
}
