import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** 48 × 24 pixels, with EXIF: a person's name, and the place 52°30' N 13°24' E. */
export const JPEG_WITH_PLACE = Buffer.from(
  '/9j/4QFERXhpZgAASUkqAAgAAAAIABIBAwABAAAAAQAAABoBBQABAAAAbgAAABsBBQABAAAAdgAAACgBAwABAAAAAgAAADsBAgAJAAAAfgAAABMCAwABAAAAAQAAAGmHBAABAAAAiAAAACWIBAABAAAA1gAAAAAAAABIAAAAAQAAAEgAAAABAAAAQSBQZXJzb24AAAYAAJAHAAQAAAAwMjEwAZEHAAQAAAABAgMAAKAHAAQAAAAwMTAwAaADAAEAAAD//wAAAqAEAAEAAAAwAAAAA6AEAAEAAAAYAAAAAAAAAAQAAQACAAIAAABOAAAAAgAFAAMAAAAkAQAAAwACAAIAAABFAAAABAAFAAMAAAAMAQAAAAAAAA0AAAABAAAAGAAAAAEAAAAAAAAAAQAAADQAAAABAAAAHgAAAAEAAAAAAAAAAQAAAP/bAEMADQkKCwoIDQsKCw4ODQ8TIBUTEhITJxweFyAuKTEwLiktLDM6Sj4zNkY3LC1AV0FGTE5SU1IyPlphWlBgSlFST//bAEMBDg4OExETJhUVJk81LTVPT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT//AABEIABgAMAMBIgACEQEDEQH/xAAYAAEBAQEBAAAAAAAAAAAAAAAABgQFB//EACYQAAAEBgAGAwAAAAAAAAAAAAABBBECAwUSE1EHFBUXMpFxocH/xAAXAQEBAQEAAAAAAAAAAAAAAAAAAgEE/8QAGhEAAwEBAQEAAAAAAAAAAAAAAAECAxESMf/aAAwDAQACEQMRAD8A4VPQKaksgSpJd82P0RbM9Cs7eKMD9RlZm8cZ2v8AL/gcNcXNrrmzY4bd2ub/AHaL8acmOM1PWeKVBCppqyNKrl2TYPRlsj0MwtOJWLnENrZscV27XJvu4RYHPpPmmgAABBpp65TTVkCpJMsmwejLRloVncNRgbp0rM3lkO1/hv0AAudKn4yTqC5TUlkapXMvmx+iLRFoZgACW+gAADD/2Q==',
  'base64',
)

/** 16 × 8 pixels; a red frame and a blue one. */
export const ANIMATED_WEBP = Buffer.from(
  'UklGRsIAAABXRUJQVlA4WAoAAAACAAAADwAABwAAQU5JTQYAAAD/////AABBTk1GSAAAAAAAAAAAAA8AAAcAAGQAAAJWUDggMAAAANABAJ0BKhAACAABQCYloAJ0ugH4AAOwAP7y63/82BXNc+/3/9Lg/S4P0uD/0pAAAEFOTUZGAAAAAAAAAAAADwAABwAAZAAAAFZQOCAuAAAAlAEAnQEqEAAIAAAAJiWgAnS6AAOYAP77VeP/pcH/0uD/6XB/6XB/G7LOG6QAAA==',
  'base64',
)

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A chunk of a PNG. */
export const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG of 24 bits a pixel. @param row the bytes of each row @param extra chunks before the pixels */
export const png = (
  width: number,
  height: number,
  row: Buffer = Buffer.alloc(width * 3, 0x80),
  extra: readonly Buffer[] = [],
): Buffer => {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])
  const line = Buffer.concat([Buffer.from([0]), row])
  const pixels = Buffer.concat(Array.from({ length: height }, () => line))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG of noise, which no compression makes smaller. */
export const noise = (width: number, height: number): Buffer => png(width, height, randomBytes(width * 3))

/** Names of the chunks of a PNG, and its size. */
export const readPng = (bytes: Buffer) => {
  const names: string[] = []
  for (let at = SIGNATURE.length; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    names.push(bytes.toString('latin1', at + 4, at + 8))
  return {
    isPng: bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE),
    names: [...new Set(names)],
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
  }
}
