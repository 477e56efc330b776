/** The exports of `@tollfree/sdk/react`. */
export { type AllowanceState, type UseAllowanceOptions, useAllowance } from './react/use-allowance.ts';
export {
  type FreeThenPaidState,
  type UseFreeThenPaidOptions,
  useFreeThenPaid,
} from './react/use-free-then-paid.ts';
