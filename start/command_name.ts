/** The Ace command that this process was started for, or null. To be loaded before Ace takes the words away. */
export const commandName: string | null =
  process.argv.slice(2).find((word) => !word.startsWith('-')) ?? null
