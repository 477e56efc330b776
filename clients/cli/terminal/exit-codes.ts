/** Exit codes of commands and their meaning. Programs depend on them: a code never changes its meaning. */
export const exitCodes = {
  ok: { code: 0, meaning: 'ok' },
  mistake: { code: 1, meaning: 'a mistake, or something is wrong' },
  review: {
    code: 2,
    meaning: 'nothing is wrong, but there is something to review: warnings of `doctor`, changes of `policy diff`',
  },
  tryAgain: { code: 75, meaning: 'may work later, such as a node or a service that is down' },
} as const;
