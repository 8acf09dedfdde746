import { test } from '@japa/runner'
import { generateRecoveryCode, recoveryHash } from '#accounts/second_factor/recovery_code'

const CODE = 'ABCD-EFGH-2345-WXYZ'

test.group('Recovery codes', () => {
  for (const typed of [
    CODE,
    'abcd-efgh-2345-wxyz',
    'ABCDEFGH2345WXYZ',
    ' abcd efgh 2345 wxyz\n',
    'AbCdEfGh-2345WxYz',
    'ABCD--EFGH-2345-WXYZ',
  ]) {
    test(`${JSON.stringify(typed)} matches the code`, ({ assert }) => {
      assert.equal(recoveryHash(typed), recoveryHash(CODE))
      assert.match(recoveryHash(typed)!, /^[0-9a-f]{64}$/)
    })
  }

  for (const typed of [
    '',
    ' ',
    '-',
    '----',
    '0189',
    '000000',
    '!!!!',
    'ABCD-EFGH-2345-WXY',
    'ABCD-EFGH-2345-WXYZ2',
    'ABCD-EFGH-2345-WXYZ!',
    'ABCD_EFGH_2345_WXYZ',
    'ABCD-EFGH-0189-WXYZ',
    'АBCD-EFGH-2345-WXYZ',
    'ſBCD-EFGH-2345-WXYZ',
    'ABCD–EFGH–2345–WXYZ',
    'ABCD-EFGH-2345-WXYZ\0',
  ]) {
    test(`${JSON.stringify(typed)} is not a code`, ({ assert }) => {
      assert.isNull(recoveryHash(typed))
    })
  }

  test('generated codes are valid and differ', ({ assert }) => {
    const codes = Array.from({ length: 50 }, generateRecoveryCode)
    assert.equal(new Set(codes.map(recoveryHash)).size, 50)
    for (const code of codes) assert.isNotNull(recoveryHash(code))
  })
})
