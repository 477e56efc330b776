/** The exports of `@tollfree/sdk/react`. */
export {
  type AllowanceState,
  type FreeThenPaidState,
  type UseAllowanceOptions,
  type UseFreeThenPaidOptions,
  useAllowance,
  useFreeThenPaid,
} from './react/use-allowance.ts';
