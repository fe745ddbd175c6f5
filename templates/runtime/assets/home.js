// Sends the request of the form, and shows its answer.
const form = document.getElementById('request');
const output = document.getElementById('answer');

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { path, token } = Object.fromEntries(new FormData(form));
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  output.textContent = '…';
  try {
    const response = await fetch(new URL(path, location.origin), { headers });
    output.textContent = `${response.status} ${response.statusText}\n${pretty(await response.text())}`;
  } catch (error) {
    output.textContent = String(error);
  }
});
