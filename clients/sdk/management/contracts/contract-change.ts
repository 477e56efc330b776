/** What changing a contract comes to for the paymaster's policy. */
export type ContractChange = {
  /**
   * Rules of the policy on arguments that do not fit the contracts now, in words. While there is one, no call to its contract
   * is sponsored. Mostly empty.
   */
  readonly brokenRules: readonly string[];
};

/** Of the `data` of an answer, which is absent where every rule fits. */
export function contractChange(data: { readonly brokenRules: readonly string[] } | undefined): ContractChange {
  return { brokenRules: data?.brokenRules ?? [] };
}
