export type HttpRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An answer as received. Redirects are answers: following one would send credentials to another server. */
export type HttpAnswer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Sends one request and reads its whole answer. Rejects with a `TransportError`. */
export type HttpSend = (request: HttpRequest) => Promise<HttpAnswer>;
