/** The end of time on chain (`uint48`, Unix seconds): what a signature without a window is good until. */
export const endOfTime = 2 ** 48 - 1;
