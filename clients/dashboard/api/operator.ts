import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** The state of the whole service. Only its operator gets it. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: () => dataOf(routes.operator.read({ headers: {} })),
});
