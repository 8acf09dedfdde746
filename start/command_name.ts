/** Name of the Ace command of this process, or null. Import it before Ace removes the arguments. */
export const commandName: string | null =
  process.argv.slice(2).find((word) => !word.startsWith('-')) ?? null
