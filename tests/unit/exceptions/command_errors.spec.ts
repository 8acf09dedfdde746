import { test } from '@japa/runner'
import {
  UNCONFIRMED_MESSAGE,
  WriteRefused,
  WriteTooLarge,
  WriteUnconfirmed,
} from '#backends/contract/errors'
import { errorText } from '#exceptions/command_errors'

test.group('Errors of commands', () => {
  for (const [error, said] of [
    [new WriteRefused('RRset is bad'), 'The name server does not accept this: RRset is bad'],
    [new WriteTooLarge('2 MB at most'), 'The name server does not accept this: 2 MB at most'],
    [new WriteUnconfirmed('cut'), UNCONFIRMED_MESSAGE],
  ] as const) {
    test(`a ${error.constructor.name} is printed in one line`, async ({ assert }) => {
      assert.equal(await errorText(error), said)
    })
  }
})
