/** Outlines of icons, on a ground of 16 by 16. */
const PATHS: Readonly<Record<string, string>> = {
  add: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  delete: 'M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.5 9h6l.5-9',
  done: 'm3 8.5 3.5 3.5L13 4.5',
  down: 'm4 6 4 4 4-4',
  edit: 'm10.5 3 2.5 2.5L6 12.5 3 13l.5-3z',
  next: 'm6 4 4 4-4 4',
  previous: 'm10 4-4 4 4 4',
  search: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0m-1 3 3.5 3.5',
  undo: 'M6 3 3 6l3 3M3 6h6a4 4 0 0 1 0 7H6',
  up: 'm4 10 4-4 4 4',
}

/** The outline of an icon. Throws where there is none of that name: a fault of the code. */
export function iconPath(name: string): string {
  const path = PATHS[name]
  if (path === undefined) {
    throw new Error(`There is no icon ${name}`)
  }
  return path
}
