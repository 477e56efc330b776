/** The two segments of the RPC endpoint's address, as sent. */
export type RpcPath = { readonly chainId: string; readonly apiKey: string };

const pattern = /^\/api\/v[12]\/([^/?#]+)\/([^/?#]+)\/?(?:\?.*)?$/;

/** Reads `/api/v1/{chainId}/{apiKey}` and `/api/v2/{chainId}/{apiKey}`; undefined for any other path. */
export function readRpcPath(url: string): RpcPath | undefined {
  const [, chainId, apiKey] = pattern.exec(url) ?? [];
  // `/api/v2/public/…` is the management API.
  return chainId === undefined || apiKey === undefined || chainId === 'public' ? undefined : { chainId, apiKey };
}

/** A chain id in decimal digits that a double represents exactly, else undefined. */
export function readChainId(text: string): number | undefined {
  const chainId = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(chainId) ? chainId : undefined;
}
