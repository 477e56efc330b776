/** Why no recording reaches a place that refuses. `where` matches its file and its text, as the coverage prints them. */
export type Unreachable = { readonly where: RegExp; readonly why: string };

const oneByOne = 'Requests of a recording come one after the other.';
const otherContracts = 'The contracts of the development chain all sponsor, take tokens, and sign with an end.';

/** Places that refuse what a recording cannot bring about. */
export const unreachable: readonly Unreachable[] = [
  { where: /decide\.ts .*settings kept changing/, why: oneByOne },
  { where: /ask-webhooks\.ts .*are waiting for its web/, why: oneByOne },
  { where: /answer-by-vendor\.ts/, why: `${oneByOne} So no other process keeps an answer first.` },
  { where: /identify\.ts .*is no longe/, why: 'The operator serves the same chain and contracts throughout.' },
  { where: /check-ticket\.ts .*never expire/, why: otherContracts },
  { where: /sponsor-mode\.ts .*mode must be ERC20/, why: otherContracts },
  { where: /token-mode\.ts .*does not accept tokens/, why: otherContracts },
  { where: /create-price-sources\.ts .*uptime feed/, why: 'The development chain is no layer 2.' },
  { where: /token-rates\.ts .*the reported price/, why: 'The prices are usual ones.' },
  { where: /quote-tokens\.ts .*too coarse/, why: 'The tokens of the development chain are fine enough.' },
  { where: /cap-operation-gas\.ts .*OPERATOR_CAP/, why: 'The operator caps no preVerificationGas.' },
  { where: /price-relay\.ts .*must be 0 for an operation that is relayed on this chain/, why: 'The bundler is alto.' },
  { where: /check-chain\.ts .*\$\{clocks\}/, why: 'Service and chain have one clock.' },
  {
    where: /keep-stub-terms\.ts .*const notOfStub/,
    why: 'The terms were read from the same data: this compares once more before signing.',
  },
  { where: /sign-or-ask-vendor\.ts .*vendor-una/, why: `${oneByOne} So the other paymaster does not fail within one.` },
  {
    where: / {2}refuse\(why\);const\{draft,chain,operation\}/,
    why: `${oneByOne} So the other paymaster does not fail within one.`,
  },
];
