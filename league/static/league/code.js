// Reads the code that a phone without network shows, by the camera or from a photo, and sends it as the form's text. No
// picture leaves this device.
const reader = document.querySelector("[data-code-reader]");
const form = document.querySelector("[data-code-form]");
const video = reader.querySelector("video");
const start = reader.querySelector("[data-code-camera]");
const words = reader.querySelector("[role=status]");
const canvas = document.createElement("canvas");
const pen = canvas.getContext("2d", { willReadFrequently: true });
const LOOK = 200; // ms between two looks at the camera's picture
const SIDE = 1600; // px of what is looked at

const own =
  "BarcodeDetector" in window &&
  BarcodeDetector.getSupportedFormats().then(
    (formats) => formats.includes("qr_code") && new BarcodeDetector({ formats: ["qr_code"] }),
  );
// The text of the code on a picture; null for none.
async function read(picture, width, height) {
  const scale = Math.min(1, SIDE / Math.max(width, height));
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const detector = await own;
  if (detector) return (await detector.detect(canvas))[0]?.rawValue ?? null;
  const { decodeQR } = await import("./qr/decode.js");
  try {
    return decodeQR(pen.getImageData(0, 0, canvas.width, canvas.height));
  } catch {
    return null;
  }
}
function take(text) {
  if (!text || !/^CUPS\d\./.test(text)) return false; // the service says what is wrong with an older one
  form.elements.code.value = text;
  form.requestSubmit();
  return true;
}
async function watch() {
  const text = video.videoWidth > 0 && (await read(video, video.videoWidth, video.videoHeight));
  if (take(text)) return;
  words.textContent = text ? reader.dataset.strange : reader.dataset.look;
  setTimeout(watch, LOOK);
}
start.addEventListener("click", async () => {
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1280 } },
    });
  } catch {
    words.textContent = reader.dataset.dark;
    return;
  }
  Object.assign(video, { hidden: false });
  start.hidden = true;
  await video.play();
  watch();
});
reader.querySelector("input[type=file]").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  const picture = file && (await createImageBitmap(file).catch(() => null));
  const text = picture && (await read(picture, picture.width, picture.height));
  if (!take(text)) words.textContent = text ? reader.dataset.strange : reader.dataset.none;
});
reader.hidden = false;
start.hidden = !navigator.mediaDevices;
