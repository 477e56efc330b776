/** The icons: lines on a 24 by 24 grid. */
const paths = {
  overview: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  usage: 'M5 20v-7M12 20V4M19 20V9',
  contract: 'M13 3H6v18h12V8zM13 3v5h5M9.5 13 8 14.5 9.5 16M14.5 13l1.5 1.5-1.5 1.5',
  policy: 'M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6zM9 12l2 2 4-4',
  policies: 'M12 3 3 8l9 5 9-5zM3 12.5l9 5 9-5M3 17l9 5 9-5',
  ticket: 'M4 6h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4zM14 6v3M14 15v3',
  webhook: 'M9 8a3 3 0 1 1 5 2l3 5M12 8l-4 7M6 14a3 3 0 1 0 3 4h6M15 18a3 3 0 1 0 1-3',
  tank: 'M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z',
  statement: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  budget: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM4 7a2 2 0 0 1 2-3h10v3M16 13.5h.5',
  connect: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  play: 'M7 4v16l13-8z',
  key: 'M15 9a4 4 0 1 1-3.5 6L4 21v-3l1-1h2v-2h2l1.5-1.5A4 4 0 0 1 15 9zM16 12h.5',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4',
  log: 'M8 6h12M8 12h12M8 18h12M4 6h.5M4 12h.5M4 18h.5',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  members:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.500-6s6 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2 .5 3.200 2.500 3.500 5.500',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.7-4.500 3.700-7 8-7s7.300 2.500 8 7',
  operator: 'M4 4h16v6H4zM4 14h16v6H4zM8 7h.5M8 17h.5M12 7h5M12 17h5',
  list: 'M4 5h16v5H4zM4 14h16v5H4zM7 7.500h.5M7 16.500h.5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4',
  choose: 'M8 9l4-4 4 4M8 15l4 4 4-4',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  book: 'M5 4h13v16H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h11',
} as const;

export type IconName = keyof typeof paths;

/** An icon next to a text with the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
