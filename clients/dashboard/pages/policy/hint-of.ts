import type { FieldSchema } from './field-schema.ts';

/** What a field is for, where the words of the interface ask for more knowledge than most people have. */
const hints: Readonly<Record<string, string>> = {
  sponsorAllCalls: 'Without this, only methods that you have chosen on the page Contracts are paid for.',
  allowAccountDeployment: 'A smart account is a contract: putting it on the chain costs gas too, once.',
  allowRevertingOperations: 'A call that fails costs gas all the same.',
  accounts:
    'A smart account decides itself what it does with what it is asked to do. Published kinds are known to do just that; others could spend your gas on something else.',
  wei: 'A wei is the smallest part of the chain’s coin: 10¹⁸ of them are one coin.',
  usd: 'At the price of the moment, such as 0.50.',
  maxFeePerGas:
    'In wei for each unit of gas; a gwei is 1000000000 wei. Above it nothing is paid for until gas is cheaper.',
  maxGasPerOperation: 'Gas is what work on the chain is counted in: 100000 are a simple call, a million is a lot.',
  maxPreVerificationGas: 'Paid to the bundler in full, whatever the operation uses. A simple call needs about 50000.',
  allowedSenders: 'The addresses of the smart accounts that you pay for, and of nobody else.',
  blockedSenders: 'The addresses of smart accounts that you never pay for, even if they are allowed.',
  requireTicket:
    'A ticket is a signed text by which your own server, or your login, says for which user you pay. The page Tickets has the keys for them.',
  thenPayInToken:
    'For example three free, then in USDC. What you do not pay for otherwise, such as other contracts, cannot be had for tokens then either.',
  userPaysPercent:
    'For example 50: users pay half in a token, you pay the other half, and limits count your half. Empty: you pay everything, or users who choose a token do.',
  maxValiditySeconds:
    'For wallets that need hours to collect signatures: up to 86400, a day. What such operations can cost is set aside for as long.',
  enabled: 'Users without the chain’s coin can pay their gas in a token, such as a stablecoin.',
  allowed: 'The addresses of the tokens; all that the service takes on this chain, if there are none.',
  treasury: 'The address that receives the tokens; that of the operator, if it is empty.',
  limits:
    'For example: each sender may have 10 operations a day. What is set aside for operations under way counts, what is given back does not.',
  callRules:
    'For example: a transfer is paid for only if its amount is at most 100. A call of a method that has rules has to meet all conditions of one of them.',
  argument: 'The name of the argument in the ABI, such as amount; msg.value is the coin that the call sends.',
  pauses: 'Times of the week, in UTC, in which nothing is paid for.',
  ignoreForeignPolicyIds:
    'For applications that still send the id of another service and cannot be changed. Without this they are refused.',
  origins:
    'Such as https://app.example.com, or https://*.example.com for all below it. Browsers keep to it; other programs can pretend to be any page.',
  networks: 'The IP addresses of your servers, such as 203.0.113.7, or a range of them, such as 10.0.0.0/8.',
  methods: 'Nothing ticked: all of them. A server that asks only for token prices needs only those, for instance.',
  rate: 'More than that is refused for the moment. Leave both empty for no such limit.',
};

/** What a field is for, without the marks of code; undefined when nothing says it. */
export function hintOf(name: string, { description }: FieldSchema): string | undefined {
  return hints[name] ?? description?.replaceAll('`', '');
}
