import type { PolicyItem } from '@tollfree/contract/policy';

/** The end of a sentence about a limit: its window. */
export const withinWindow: Readonly<Record<PolicyItem['limits'][number]['window'], string>> = {
  HOUR: 'in an hour',
  DAY: 'in a day',
  WEEK: 'in a week',
  MONTH: 'in a month',
  EVER: 'in all',
};
