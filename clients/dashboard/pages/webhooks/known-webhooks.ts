const byPaymaster = new Map<string, readonly string[]>();

/**
 * The webhooks that were added or opened since the page was loaded: the service answers for one id at a time. In memory
 * only.
 */
export const knownWebhooks = {
  of: (paymasterId: string): readonly string[] => byPaymaster.get(paymasterId) ?? [],
  add(paymasterId: string, webhookId: string): readonly string[] {
    return set(paymasterId, [...new Set([...this.of(paymasterId), webhookId])]);
  },
  drop(paymasterId: string, webhookId: string): readonly string[] {
    return set(
      paymasterId,
      this.of(paymasterId).filter((each) => each !== webhookId),
    );
  },
};

function set(paymasterId: string, ids: readonly string[]): readonly string[] {
  byPaymaster.set(paymasterId, ids);
  return ids;
}
