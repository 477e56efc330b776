/** A page without a secret, and another one: what `aud` of their ID tokens says. */
export const applications = ['shop-page', 'other-page'] as const;
export type Application = (typeof applications)[number];

export type Provider = {
  callback(): (request: unknown, response: unknown) => unknown;
  interactionDetails(request: unknown, response: unknown): Promise<unknown>;
  interactionFinished(request: unknown, response: unknown, result: object): Promise<void>;
  readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
};
