import type { ListDecisionsQuery } from '@tollfree/contract/decision-fields';

/** Which answers are shown; without any, all. */
export type DecisionFilters = Omit<ListDecisionsQuery, 'cursor' | 'limit'>;
