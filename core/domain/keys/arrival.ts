/**
 * How a request of the RPC endpoint came: by which method, from which page (the header `Origin`, as browsers send it) and
 * from which address. What an apiKey may is decided on this.
 */
export type Arrival = { readonly method: string; readonly origin?: string; readonly address?: string };
