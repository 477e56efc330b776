/** The time as the service sees it, passed in so that tests can set it. */
export type Clock = {
  /** Unix time in milliseconds. */
  now(): number;
};
